"""referee: does your model know what "it" refers to, and for the right reasons?"""

__version__ = "0.1.0"
