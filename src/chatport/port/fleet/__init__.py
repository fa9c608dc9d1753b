"""Thousands of repositories: each planned in isolation, all of it in one ledger and one page.

sources    what a list names: folders, and remotes of git
checkout   a shallow clone of a remote, in which nothing of the remote's is run
survey     the plan of one repository as values that travel
warm       the process that plans each repository in a fork of itself
nursery    asks such a process, and starts another when it is gone
ledger     what has been planned, in one SQLite file that a run can go on from
drive      keeps an executor busy and the ledger up to date
cluster    the executor of a Dask cluster
overview   the ledger as one HTML page
"""
