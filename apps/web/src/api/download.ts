import { fetchFile } from './call.ts'

/** Fetches a `file` endpoint with the bearer and hands the file to the browser. Throws ApiError. */
export const download: typeof fetchFile = async (...given) => {
  const answer = await fetchFile(...given)
  const url = URL.createObjectURL(answer.file)
  const link = document.createElement('a')
  link.href = url
  link.download = answer.name
  link.click()
  // The browser has taken its own hold of the file by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
  return answer
}
