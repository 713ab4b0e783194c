"""The panels of lessons 01, 02 and 03: missing words, concept retrieval, sentence similarity."""
