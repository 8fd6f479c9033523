import { fetchFile } from './call.ts'

/** Hands a file to the browser to be saved. */
export const save = ({ name, file }: { name: string; file: Blob }): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken its own hold of the file by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}

/** Fetches a `file` endpoint with the bearer and hands the file to the browser. Throws ApiError. */
export const download: typeof fetchFile = async (...given) => {
  const answer = await fetchFile(...given)
  save(answer)
  return answer
}
