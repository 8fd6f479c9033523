/** The other side said no for good: trying again is no use. */
export class PermanentDeliveryError extends Error {}

const WAIT_MS = 10_000

/** One call of a provider: its JSON answer; throws Undeliverable for a lasting refusal, an Error for a passing one. */
export const callProvider = async (url: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) })
  if (response.status >= 500 || response.status === 429) throw new Error(`the provider answered ${response.status}`)
  const text = (await response.text()).slice(0, 10_000)
  try {
    return JSON.parse(text)
  } catch {
    throw new PermanentDeliveryError(`the provider answered ${response.status} without JSON`)
  }
}
