import { buffer } from 'node:stream/consumers'
import { getFileStore } from './file-store.ts'
import { pictures } from './reencode-image.ts'

/** Width and height of a stored picture; undefined when its content is gone. */
export const readImageSize = async (fileId: number): Promise<{ width: number; height: number } | undefined> => {
  const content = await getFileStore().store.get(fileId)
  if (!content) return undefined
  const decoder = await pictures()
  const { width, height } = await decoder(await buffer(content)).metadata()
  return { width, height }
}
