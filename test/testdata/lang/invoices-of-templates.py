from string import Template
INVOICE = Template("""\
Invoice #$number
To: ${customer}
$lines
Total: $$$total
""")
LINE = Template("  $qty x $item @ $$$price")
orders = [(1, "Ann", [("pen", 3, 1.25), ("book", 1, 12.5)]), (2, "Bob & Co", [])]
for number, customer, items in orders:
    lines = "\n".join(LINE.substitute(qty=q, item=i, price=f"{p:.2f}") for i, q, p in items) or "  (nothing)"
    print(INVOICE.substitute(number=number, customer=customer, lines=lines, total=f"{sum(q * p for _, q, p in items):.2f}"))
missing = [n for n in INVOICE.get_identifiers() if n not in {"number", "total"}]
print(missing, INVOICE.safe_substitute(number=3).splitlines()[:2])
