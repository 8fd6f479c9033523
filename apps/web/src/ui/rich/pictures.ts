import { files, IMAGE_BYTES, imageTypes } from '@tocsin/contract/files/file'
import type { Editor } from '@tiptap/react'
import { upload } from '#api/call.ts'
import { showError } from '#api/messages.ts'
import { acceptFor, uploadLimits, checkFile } from '../upload/limits.ts'

const limits = uploadLimits(files.upload, imageTypes, 1, IMAGE_BYTES)

export const picturesAmong = (given: FileList | null | undefined): File[] =>
  [...(given ?? [])].filter(({ type }) => type.startsWith('image/'))

/** Lets the editor choose pictures of the computer; none when cancelled. */
export const choosePictures = (): Promise<File[]> =>
  new Promise((resolve) => {
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      multiple: true,
      accept: acceptFor(limits),
    })
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })

/** Uploads pictures one after the other and inserts each at the cursor; rejected ones are reported and left out. */
export const insertPictures = async (editor: Editor, given: readonly File[]): Promise<void> => {
  for (const file of given)
    try {
      const refusal = checkFile(file, limits)
      if (refusal) throw refusal
      const { url, name } = await upload(files.upload, { files: { file: [file] } })
      if (!editor.isDestroyed) editor.chain().setImage({ src: url, alt: name }).run()
    } catch (error) {
      showError(error)
    }
}
