// SPDX-License-Identifier: MIT
extern "C" int runNcclProgram(bool plugin);
int main(int count, char**) { return runNcclProgram(count > 1); }
