import { readFileSync, statSync } from 'node:fs'
import { ProductKey, Sn } from '@tocsin/protocol/topics'
import { z } from 'zod'

const SecretText = z.string().regex(/^[0-9A-Za-z_-]{43}$/, 'must be 32 bytes as base64url (43 characters)')
const FleetFile = z
  .array(z.object({ productKey: ProductKey, sn: Sn, secret: SecretText, presses: z.boolean().optional() }))
  .min(1)

/** `presses` false: connected, but never chosen for a press. */
export type Credential = { productKey: string; sn: string; secret: Uint8Array; presses?: boolean }

/**
 * Reads `[{productKey, sn, secret, presses?}]`. The secrets work on a real server, so a warning is printed for a file
 * that others may read.
 */
export const readFleet = (path: string, warn: (text: string) => void): Credential[] => {
  const text = readFileSync(path, 'utf8')
  const mode = statSync(path).mode & 0o777
  if (mode & 0o077) warn(`${path} holds device secrets but others may read it (mode ${mode.toString(8)}): chmod 600`)
  const fleet = FleetFile.safeParse(parse(path, text))
  if (!fleet.success) {
    const [issue] = fleet.error.issues
    throw new Error(`${path}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
  }
  const seen = new Set<string>()
  return fleet.data.map(({ productKey, sn, secret, presses = true }) => {
    if (seen.has(sn)) throw new Error(`${path}: sn ${sn} occurs twice`)
    seen.add(sn)
    return { productKey, sn, secret: Buffer.from(secret, 'base64url'), presses }
  })
}

const parse = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error })
  }
}
