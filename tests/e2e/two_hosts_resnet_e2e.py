# SPDX-License-Identifier: MIT
"""As two_hosts_e2e.py, with the real ResNet-50: 102 MB of gradients a step over the wire. Slow; only where the trainer was built."""
import unittest

import two_hosts_e2e
from harness import BUILD


@unittest.skipUnless((BUILD / "bin" / "resnet50").exists(), "resnet50 was not built (FLOWGAUGE_TRAINER)")
@unittest.skipIf(two_hosts_e2e.why_not() is not None, two_hosts_e2e.why_not())
class ResNet50OnTwoHosts(two_hosts_e2e.TwoHosts):
    TRAINER = ("resnet50", "--batch", 4, "--steps", 3, "--image", 32)


if __name__ == "__main__":
    unittest.main()
