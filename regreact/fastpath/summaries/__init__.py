"""How rule summaries are worded: clauses, lists of criteria, and facts that a clause leaves out."""
