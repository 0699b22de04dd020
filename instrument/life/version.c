// SPDX-License-Identifier: MIT
// Read by `strings libflowgauge.so | grep flowgauge-version`; also what makes this a library of the C language.
__attribute__((used)) static const char version[] = "flowgauge-version " FLOWGAUGE_VERSION;
