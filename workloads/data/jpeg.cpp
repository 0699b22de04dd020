// SPDX-License-Identifier: MIT
#include "workloads/data/jpeg.h"
#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include "workloads/failure.h"

#include <jpeglib.h>  // after cstdio: it uses FILE without including it

namespace flowgauge::workloads {

/// libjpeg reports errors by a function that must not return. To throw there would unwind through frames of C, which need not have
/// unwind tables: so the way out is longjmp, and the exception is thrown outside the library.
struct JpegErrors {
    jpeg_error_mgr manager{};
    std::jmp_buf failed{};
    std::array<char, JMSG_LENGTH_MAX> message{};
};

extern "C" {
static void jpegFailed(j_common_ptr codec)
{
    auto* const errors = reinterpret_cast<JpegErrors*>(codec->err);  // manager is the first member
    errors->manager.format_message(codec, errors->message.data());
    std::longjmp(errors->failed, 1);
}
static void jpegWarned(j_common_ptr, int) {}
}

static void prepare(JpegErrors& errors)
{
    jpeg_std_error(&errors.manager);
    errors.manager.error_exit = jpegFailed;
    errors.manager.emit_message = jpegWarned;
}

/// Compresses into a malloc'ed block. Nothing here owns C++ objects: a longjmp crosses it.
static bool compress(JpegErrors& errors, const Picture& picture, int quality, std::pair<unsigned char*, unsigned long>& out)
{
    jpeg_compress_struct codec{};
    codec.err = &errors.manager;
    if (setjmp(errors.failed) != 0) {
        jpeg_destroy_compress(&codec);
        return false;
    }
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, &out.first, &out.second);
    codec.image_width = codec.image_height = static_cast<JDIMENSION>(picture.edgePx);
    codec.input_components = 3;
    codec.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, quality, TRUE);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        auto* row = const_cast<JSAMPROW>(&picture.rgb[std::size_t{codec.next_scanline} * codec.image_width * 3]);
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    return true;
}

/// Comment segments of `bytes` in all, their text being a counter's letters.
static std::vector<std::byte> comments(std::size_t bytes)
{
    constexpr std::size_t most = 65'537;  // FF FE, a length of at most 65,535 that counts its own two bytes
    std::vector<std::byte> all;
    while (bytes - all.size() >= 4) {
        const std::size_t left = bytes - all.size();
        std::size_t segment = std::min(left, most);
        if (left - segment > 0 && left - segment < 4) segment -= 4;  // leave room for a last whole segment
        const std::size_t length = segment - 2;
        all.insert(all.end(), {std::byte{0xFF}, std::byte{0xFE}, std::byte(length >> 8), std::byte(length & 0xFF)});
        for (std::size_t i = 4; i < segment; ++i) all.push_back(std::byte('a' + i % 26));
    }
    return all;
}

std::vector<std::byte> encodeJpeg(const Picture& picture, int quality, std::size_t fillToBytes)
{
    JpegErrors errors;
    prepare(errors);
    std::pair<unsigned char*, unsigned long> block{nullptr, 0};
    const bool done = compress(errors, picture, quality, block);
    std::vector<std::byte> jpeg(reinterpret_cast<std::byte*>(block.first), reinterpret_cast<std::byte*>(block.first) + block.second);
    std::free(block.first);
    if (!done) throw Failure("JPEG", errors.message.data());
    if (fillToBytes < jpeg.size() + 4) return jpeg;
    const auto filling = comments(fillToBytes - jpeg.size());
    jpeg.insert(jpeg.begin() + 2, filling.begin(), filling.end());  // after the start-of-image marker
    return jpeg;
}

/// Decodes into `picture`, whose memory the caller owns: a longjmp crosses this function.
static bool decompress(JpegErrors& errors, std::span<const std::byte> jpeg, int wantPx, std::array<int, 2>& size,
                       std::vector<std::uint8_t>& rgb)
{
    jpeg_decompress_struct codec{};
    codec.err = &errors.manager;
    if (setjmp(errors.failed) != 0) {
        jpeg_destroy_decompress(&codec);
        return false;
    }
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, reinterpret_cast<const unsigned char*>(jpeg.data()), jpeg.size());
    jpeg_read_header(&codec, TRUE);
    codec.out_color_space = JCS_RGB;
    codec.scale_denom = 8;  // the coarsest scale n/8 that is not smaller than wanted: most of the inverse transform is saved
    const auto shorter = static_cast<int>(std::min(codec.image_width, codec.image_height));
    codec.scale_num = static_cast<unsigned>(std::clamp((8 * wantPx + shorter - 1) / shorter, 1, 8));
    jpeg_start_decompress(&codec);
    size = {static_cast<int>(codec.output_width), static_cast<int>(codec.output_height)};
    rgb.resize(std::size_t{codec.output_width} * codec.output_height * 3);
    while (codec.output_scanline < codec.output_height) {
        JSAMPROW row = &rgb[std::size_t{codec.output_scanline} * codec.output_width * 3];
        jpeg_read_scanlines(&codec, &row, 1);
    }
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return true;
}

void decodeJpeg(std::span<const std::byte> jpeg, int edgePx, bool mirrored, float* planes)
{
    JpegErrors errors;
    prepare(errors);
    std::array<int, 2> size{};
    std::vector<std::uint8_t> rgb;
    if (!decompress(errors, jpeg, edgePx, size, rgb)) throw Failure("JPEG", errors.message.data());
    const auto [width, height] = size;
    const std::size_t plane = static_cast<std::size_t>(edgePx) * static_cast<std::size_t>(edgePx);
    for (int y = 0; y < edgePx; ++y) {
        const std::size_t from = static_cast<std::size_t>(y * height / edgePx) * static_cast<std::size_t>(width);
        for (int x = 0; x < edgePx; ++x) {
            const int column = (mirrored ? edgePx - 1 - x : x) * width / edgePx;
            const std::uint8_t* pixel = &rgb[(from + static_cast<std::size_t>(column)) * 3];
            float* to = planes + static_cast<std::size_t>(y) * static_cast<std::size_t>(edgePx) + x;
            for (std::size_t colour = 0; colour < 3; ++colour) to[colour * plane] = (static_cast<float>(pixel[colour]) - 118.0F) / 58.0F;
        }
    }
}

}  // namespace flowgauge::workloads
