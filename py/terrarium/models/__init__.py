"""What is computed by a model: sentence encoder, reranker, decoder, and the proof that each works on a backend."""
