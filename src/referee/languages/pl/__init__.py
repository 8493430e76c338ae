"""Polish, where data is not enough: the tags of SGJP."""
