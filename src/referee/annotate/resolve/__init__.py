"""Which noun a pronoun refers to: a resolver in numpy, and those of other packages."""
