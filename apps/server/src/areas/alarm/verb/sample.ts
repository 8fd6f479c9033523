import { createHash } from 'node:crypto'

/** One of this many closed records is reviewed again (domain 2.8: 5 %). */
export const REVIEW_SAMPLE_RATE = 20

/** Selects by the number alone, so that all nodes agree, nobody can avoid it, and a reopening changes nothing. */
export const isSampledForReview = ({ no }: { no: string }): boolean =>
  createHash('sha256').update(`quality ${no}`).digest().readUInt32BE() % REVIEW_SAMPLE_RATE === 0
