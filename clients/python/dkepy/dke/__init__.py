"""Tools of a DKE account that run on your own machine."""
