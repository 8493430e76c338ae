"""Which word translates which: a word aligner in numpy, and alignments that other aligners made."""
