"""English, where data is not enough: classes of nouns and genders of names."""
