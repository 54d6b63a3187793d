"""The ratios of a comparison as an SVG picture: one bar each, with a line where both are alike."""

from xml.sax.saxutils import escape

BAR, GAP, LABEL, SCALE, LONGEST = 18, 8, 250, 260, 2.0
BETTER, WORSE, TEXT = "#2a7d4f", "#b4552d", "#333333"
LESS_IS_BETTER = ("load", "memory", "ttft", "shared-prefix")


def is_better(row):
    return row["ratio"] <= 1 if any(word in row["name"] for word in LESS_IS_BETTER) else row["ratio"] >= 1


def svg(rows):
    height = len(rows) * (BAR + GAP) + 60
    width = LABEL + int(SCALE * LONGEST) + 70
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif"'
        f' font-size="12" fill="{TEXT}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="10" y="20" font-size="14">Ours divided by llama.cpp\'s; green is better</text>',
    ]
    for index, row in enumerate(rows):
        top = 36 + index * (BAR + GAP)
        length = max(1, round(min(row["ratio"], LONGEST) * SCALE))
        name = row["name"].replace("-own", " (to own plain)")
        label = escape(f"{name}, {row['threads']} thread{'s' if row['threads'] > 1 else ''}")
        parts += [
            f'<text x="{LABEL - 8}" y="{top + 13}" text-anchor="end">{label}</text>',
            f'<rect x="{LABEL}" y="{top}" width="{length}" height="{BAR}"'
            f' fill="{BETTER if is_better(row) else WORSE}"/>',
            f'<text x="{LABEL + length + 6}" y="{top + 13}">{row["ratio"]:.2f}</text>',
        ]
    line = LABEL + SCALE
    parts.append(f'<line x1="{line}" y1="30" x2="{line}" y2="{height - 20}" stroke="{TEXT}" stroke-dasharray="3 3"/>')
    return "\n".join(parts + ["</svg>", ""])
