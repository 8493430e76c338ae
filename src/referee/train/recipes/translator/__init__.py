"""The recipe of the pocket translator: corpus, vocabulary, network, training, and the one file that is shipped."""
