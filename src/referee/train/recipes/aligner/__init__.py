"""How the pocket aligner was made: tables of word translations, the projection of vectors, the weighing of both."""
