"""The corpus as data: every activity's criterion trees in one folder of JSON Lines and Parquet tables."""
