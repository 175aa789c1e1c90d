"""Law as data: citations, CELEX ids, units of measure, dates, activities."""
