"""What is searched: terms of chunks (BM25) and their vectors, both in rows that stay where they are."""
