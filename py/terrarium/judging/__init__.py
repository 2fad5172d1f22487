"""Whether what was found answers the question, and what is tried when it does not."""
