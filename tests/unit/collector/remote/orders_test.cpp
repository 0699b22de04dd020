// SPDX-License-Identifier: MIT
#include "collector/remote/orders.h"

#include "collector/record/error.h"

#include <gtest/gtest.h>
#include <cstdlib>

namespace flowgauge::remote {
namespace {

Wishes storageWish(const std::string& storage)
{
    Wishes wishes;
    wishes.storage = storage;
    return wishes;
}

TEST(OrdersOf, NoWishesAreNoneAndTakePasswordsAwayAllTheSame)
{
    ::setenv("FLOWGAUGE_STORAGE_PASSWORD", "p", 1);
    ::setenv("FLOWGAUGE_FABRIC_PASSWORD_FILE", "/nowhere", 1);
    EXPECT_TRUE(ordersOf({}).empty());
    EXPECT_EQ(std::getenv("FLOWGAUGE_STORAGE_PASSWORD"), nullptr);
    EXPECT_EQ(std::getenv("FLOWGAUGE_FABRIC_PASSWORD_FILE"), nullptr);
}

TEST(OrdersOf, AStorageSystemNeedsAUserAndAPassword)
{
    EXPECT_THROW((void)ordersOf(storageWish("onefs://isilon")), Error);
    EXPECT_THROW((void)ordersOf(storageWish("onefs://u@isilon")), Error);
    EXPECT_THROW((void)ordersOf(storageWish("ufm://u@isilon")), Error);
    ::setenv("FLOWGAUGE_STORAGE_PASSWORD", "p", 1);
    const std::vector<Orders> orders = ordersOf(storageWish("onefs://u@isilon"));
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].password, "p");
}

TEST(OrdersOf, AFabricWithoutAUserNeedsNoPassword)
{
    Wishes wishes;
    wishes.fabric = "ufm://ufm1:9001";
    EXPECT_EQ(ordersOf(wishes).size(), 1U);
    wishes.fabric = "ufm://admin@ufm1";
    EXPECT_THROW((void)ordersOf(wishes), Error);
    wishes.ca = "/nowhere/ca.pem";
    wishes.fabric = "ufm://ufm1";
    EXPECT_THROW((void)ordersOf(wishes), Error);
}

}  // namespace
}  // namespace flowgauge::remote
