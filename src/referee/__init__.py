"""Does your model know what "it" refers to, and for the right reasons? That is what referee answers."""

__version__ = "0.1.0"
