"""Waits that end."""

import time


class Deadline:
    """The moment at which the time for something is over."""

    def __init__(self, seconds):
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def remaining(self):
        """Seconds that are left, 0 when none are."""
        return max(0.0, self._end - time.monotonic())

    def rounds(self, pause=0.2, growth=1.5, pause_max=2.0):
        """Yields 1, 2, 3, ... with growing pauses of seconds in between, until too little time is left."""
        number = 0
        while True:
            number += 1
            yield number
            if self.remaining() <= pause:
                return
            time.sleep(pause)
            pause = min(pause * growth, pause_max)
