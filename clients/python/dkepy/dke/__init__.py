"""Tools of a DKE account that run on your own machine."""

__version__ = "1.3.0"
