// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/error.h"
#include "collector/remote/place.h"

#include <string>

namespace flowgauge::remote {

/// What is said of an address that is not one; empty where it is.
inline std::string refusalOf(const std::string& text)
{
    try {
        (void)parsePlace(text);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace flowgauge::remote
