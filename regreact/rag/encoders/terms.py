"""Token vectors learnt from the passages of the index itself, with numpy alone: no model, no download."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from regreact.errors import StoreError
from regreact.rag.encoders.base import Vectors, unit_rows
from regreact.rag.tokens import tokenize


class TermEncoder:
    name = "terms"

    def __init__(self, chars=128, topics=64, char_weight=0.7, context=0.0, idf_power=1.0, cooc="passage", stop_df=1.0, dedupe=True):
        self.chars, self.topics, self.char_weight, self.context = chars, topics, char_weight, context
        self.idf_power, self.cooc, self.dedupe = idf_power, cooc, dedupe
        self.dimensions = chars + topics
        self.vocabulary: dict[str, int] = {}

    def fitted(self, texts):
        e = TermEncoder(self.chars, self.topics, self.char_weight, self.context, self.idf_power, self.cooc, dedupe=self.dedupe)
        tokens = [tokenize(t) for t in texts]
        df = Counter(w for t in tokens for w in set(t))
        e.vocabulary = {w: i for i, w in enumerate(sorted(df))}
        n = len(texts)
        e.idf = np.array([np.log(1 + (n - df[w] + 0.5) / (df[w] + 0.5)) for w in e.vocabulary], dtype=np.float32)
        e.max_idf = float(np.log(1 + (n + 0.5) / 0.5))
        e.matrix = e._vectors(list(e.vocabulary), e._learn(tokens))
        return e

    def _learn(self, tokens):
        V, k = len(self.vocabulary), self.topics
        if not k:
            return np.zeros((V, 0), np.float32)
        ids = [[self.vocabulary[w] for w in t] for t in tokens]
        if self.cooc == "passage":
            m = np.zeros((V, len(ids)), np.float32)
            for j, t in enumerate(ids):
                np.add.at(m[:, j], t, 1)
            m = np.log1p(m) * self.idf[:, None]
        else:
            w = int(self.cooc)
            m = np.zeros((V, V), np.float32)
            for t in ids:
                a = np.array(t)
                for d in range(1, w + 1):
                    if len(a) > d:
                        np.add.at(m, (a[:-d], a[d:]), 1.0 / d)
            m += m.T
            total = m.sum(); row = m.sum(1) + 1e-9; col = row**0.75; col /= col.sum()
            with np.errstate(divide="ignore"):
                m = np.maximum(np.log(m / row[:, None] / col[None, :]), 0)
        rng = np.random.default_rng(0)
        y = m @ rng.standard_normal((m.shape[1], k + 10), dtype=np.float32)
        for _ in range(3):
            q, _ = np.linalg.qr(y)
            y = m @ (m.T @ q)
        q, _ = np.linalg.qr(y)
        u, s, _ = np.linalg.svd(q.T @ m, full_matrices=False)
        out = (q @ u[:, :k]) * np.sqrt(s[:k])
        if out.shape[1] < k:
            out = np.pad(out, ((0, 0), (0, k - out.shape[1])))
        return unit_rows(out)

    def _vectors(self, words, topics):
        c = np.zeros((len(words), self.chars), np.float32)
        for i, w in enumerate(words):
            padded = f"<{w}>"
            grams = [padded] + [padded[a:a + n] for n in (3, 4) for a in range(len(padded) - n + 1)]
            if any(ch.isdigit() for ch in w):
                grams = [padded]
            for g in grams:
                h = zlib.crc32(g.encode())
                c[i, h % self.chars] += 1.0 if h >> 31 else -1.0
        c = unit_rows(c) if self.chars else c
        a = np.sqrt(self.char_weight)
        b = np.sqrt(1 - self.char_weight)
        return unit_rows(np.hstack([a * c, b * topics])) if self.topics else c

    def encode_passages(self, texts):
        out = []
        for t in texts:
            w = tokenize(t)
            ids = [self.vocabulary[x] for x in w if x in self.vocabulary]
            out.append(self._mixed(ids))
        return out

    def _mixed(self, ids, idf=False):
        if not self.context:
            return self.matrix[sorted(set(ids))] if ids else np.zeros((0, self.dimensions), np.float32)
        m = self.matrix[ids]
        g = m * (self.idf[ids] / self.idf.mean())[:, None]
        mix = m.copy()
        for d in (1, 2):
            mix[d:] += self.context / d * g[:-d]
            mix[:-d] += self.context / d * g[d:]
        return unit_rows(mix) if len(ids) else np.zeros((0, self.dimensions), np.float32)

    def encode_query(self, text):
        words = tokenize(text)
        if self.dedupe:
            words = list(dict.fromkeys(words))
        if not words:
            return np.zeros((0, self.dimensions), np.float32)
        rows, w = [], []
        known = [x for x in words]
        idf = np.array([self.idf[self.vocabulary[x]] if x in self.vocabulary else self.max_idf for x in words], np.float32)
        m = np.zeros((len(words), self.dimensions), np.float32)
        for i, x in enumerate(words):
            m[i] = self.matrix[self.vocabulary[x]] if x in self.vocabulary else self._vectors([x], np.zeros((1, self.topics), np.float32))[0]
        if self.context:
            g = m * (idf / self.idf.mean())[:, None]
            mix = m.copy()
            for d in (1, 2):
                mix[d:] += self.context / d * g[:-d]
                mix[:-d] += self.context / d * g[d:]
            m = unit_rows(mix)
        return m * (idf ** self.idf_power)[:, None]
