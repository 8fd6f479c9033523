import { fetchFile } from './call.ts'

/** Offers a file to the browser to be saved. */
export const save = ({ name, file }: { name: string; file: Blob }): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser holds its own reference to the file by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}

/** Fetches a `file` endpoint with the bearer token and saves the file. Throws ApiError. */
export const download: typeof fetchFile = async (...given) => {
  const answer = await fetchFile(...given)
  save(answer)
  return answer
}
