"""Runs the console's suite: run.py [--short] [NAME…]. The short form has no test_load.py, which takes minutes."""

import os
import sys
import time
import unittest


class Timed(unittest.TextTestResult):
    """Prints how long each test took."""

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.stream.writeln("    %.1f s" % (time.monotonic() - self.began))


FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)
names = [name for name in sys.argv[1:] if name != "--short"]
if "--short" in sys.argv:
    os.environ["CONSOLE_SHORT"] = "1"
loader = unittest.TestLoader()
if names:
    loader.testNamePatterns = ["*%s*" % name for name in names]
suite = loader.discover(FOLDER, pattern="test_[!l]*.py" if "--short" in sys.argv else "test_*.py")
if "--short" in sys.argv:
    suite.addTests(loader.discover(FOLDER, pattern="test_live.py"))
result = unittest.TextTestRunner(verbosity=2, failfast=False, resultclass=Timed).run(suite)
if not result.testsRun:
    sys.exit("no test ran")
sys.exit(0 if result.wasSuccessful() else 1)
