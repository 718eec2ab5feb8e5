"""A package that the programs `files_*` import."""

from .solve import solve
from . import tables
from .shapes import *

__all__ = ["solve", "tables"]
scale = 3.0
