"""Pieces of source with parts replaced, and where each byte of the result comes from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from ._source import Fragment

GENERATED = "<gradus>"

Edit = tuple[int, int, str]
"""What takes the place of a range of a fragment's source."""


@dataclass
class Text:
    """A program as it grows, with the files that its lines come from."""

    bytes: bytearray = field(default_factory=bytearray)
    sections: list[tuple[int, str, int]] = field(default_factory=list)
    columns: list[tuple[int, int]] = field(default_factory=list)
    """From this place to the end of its line, columns of the file are greater by so much."""

    def generated(self, line: str) -> None:
        """Adds a line that is in no file."""
        if not self.sections or self.sections[-1][1] != GENERATED:
            self.sections.append((len(self.bytes), GENERATED, self.bytes.count(b"\n") + 1))
        self.bytes += line.encode() + b"\n"

    def piece(self, fragment: Fragment, edits: list[Edit], before: str = "", after: str = "") -> None:
        """Adds a piece of a file."""
        self.sections.append((len(self.bytes), fragment.file, fragment.first))
        self.bytes += before.encode()
        source = fragment.source
        if before:
            self._moved(fragment, 0, line_start=len(self.bytes) - len(before.encode()))
        done = 0
        for start, end, new in _merged(fragment, edits):
            self.bytes += source[done:start]
            replaced = new.encode()
            # Lines keep their numbers.
            missing = source.count(b"\n", start, end) - replaced.count(b"\n")
            self.bytes += replaced + b"\n" * missing
            done = end
            self._moved(fragment, done, line_start=self.bytes.rfind(b"\n") + 1)
        self.bytes += source[done:] + after.encode() + b"\n"

    def _moved(self, fragment: Fragment, at: int, line_start: int) -> None:
        """Notes how far the place in the source is from that in the text."""
        line = bisect_right(fragment.starts, at, hi=len(fragment.starts) - 1) - 1
        column = at - fragment.starts[line]
        self.columns.append((len(self.bytes), column - (len(self.bytes) - line_start)))


def _merged(fragment: Fragment, edits: list[Edit]) -> list[Edit]:
    edits = sorted(set(edits))
    margins = [(start, end, "") for start, end in fragment.margins]
    # A name with attributes that goes over lines is replaced with the white space in it.
    kept = [m for m in margins if not any(start < m[0] < end for start, end, _ in edits)]
    return sorted(edits + kept)
