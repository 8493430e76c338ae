"""Russian, where data is not enough: the tags of OpenCorpora."""
