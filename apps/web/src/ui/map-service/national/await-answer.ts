/** The library says nothing when a call fails: without an answer in this time the service cannot be reached. */
const ANSWER_TIMEOUT_MS = 10_000

export class ServiceSilentError extends Error {
  override name = 'ServiceSilentError'
}

/** Turns a call that answers by a callback into a promise. */
export const awaitAnswer = <Answer>(begin: (answer: (answer: Answer) => void) => void): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ServiceSilentError()), ANSWER_TIMEOUT_MS)
    begin((answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
