"""`scripts/real-clients`: what real clients do, against a built understudy.

run.py BINARY [TEST…]   TEST is a part of a test's name
"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "scripts")]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.environ["REAL_CLIENTS_BINARY"] = sys.argv[1]
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{part}*" for part in sys.argv[2:]] or None
    found = unittest.TextTestRunner(verbosity=2 if sys.argv[2:] else 1).run(loader.discover(HERE))
    for reason in sorted({reason for _, reason in found.skipped}):
        print(f"left out: {reason}")
    if not found.testsRun:
        sys.exit("no test has this name")
    sys.exit(not found.wasSuccessful())


main()
