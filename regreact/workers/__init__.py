"""What runs the units of a run: threads, processes, or the tasks of a Ray cluster. All give the same results."""
