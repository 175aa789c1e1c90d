"""Extractions in other forms: workbook, tables, linked data, diagrams."""
