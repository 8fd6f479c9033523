import { pbkdf2Sync, randomBytes } from 'node:crypto'

/** Few, as mosquitto_passwd itself does: the secret is 256 random bits, there is nothing to guess. */
const ROUNDS = 101
const SALT_BYTES = 12
const HASH_BYTES = 64

/** A password as mosquitto 2 keeps it in a password_file: PBKDF2 with SHA-512, marked 7. */
export const mosquittoPasswordHash = (password: string): string => {
  const salt = randomBytes(SALT_BYTES)
  const hash = pbkdf2Sync(password, salt, ROUNDS, HASH_BYTES, 'sha512')
  return `$7$${ROUNDS}$${salt.toString('base64')}$${hash.toString('base64')}`
}
