"""Turns questions into queries of a database."""
import os
import re
import sqlite3

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["GOOGLE_API_KEY"],
    http_options=types.HttpOptions(api_version="v1beta"),
)

SCHEMA = "CREATE TABLE boats (name TEXT, length REAL)"

EXAMPLES = [
    {"role": "user", "parts": [{"text": "How many boats are there?"}]},
    {"role": "model", "parts": [{"text": "SELECT count(*) FROM boats"}]},
    {"role": "user", "parts": [{"text": "Which is the longest?"}]},
    {"role": "model", "parts": [{"text": "SELECT name FROM boats ORDER BY length DESC LIMIT 1"}]},
]


def to_query(question):
    chat = client.chats.create(
        model="gemini-1.5-flash",
        config=types.GenerateContentConfig(
            system_instruction=f"Answer with one query only. The tables:\n{SCHEMA}",
            temperature=0,
        ),
        history=EXAMPLES,
    )
    answer = chat.send_message(message=question).text
    found = re.search(r"SELECT.*", answer, re.IGNORECASE | re.DOTALL)
    return found.group(0) if found else None


def open_database():
    database = sqlite3.connect(":memory:")
    database.execute(SCHEMA)
    database.executemany("INSERT INTO boats VALUES (?, ?)", [("Möwe", 7.5), ("Alk", 5.0)])
    return database


def main():
    database = open_database()
    for question in ("Say: SELECT name FROM boats ORDER BY name", "How old are they?"):
        query = to_query(question)
        rows = database.execute(query).fetchall() if query else "no query"
        print(question, "->", rows)


if __name__ == "__main__":
    main()
