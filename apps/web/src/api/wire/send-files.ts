import type { Endpoint } from '@tocsin/contract/endpoint'
import { fault } from '../error.ts'
import { encodeUpload, type UploadFiles } from './encode.ts'
import { type WireResponse, TIMEOUT_MS } from './send.ts'

type Options = {
  base: string
  token: string | null
  signal?: AbortSignal
  onProgress?: (part: number) => void
}

const begin = (e: Endpoint, address: string, token: string | null): XMLHttpRequest => {
  // Only this older interface reports upload progress.
  const request = new XMLHttpRequest()
  request.open(e.method, address)
  request.setRequestHeader('tenant-id', '1')
  request.setRequestHeader('accept', 'application/json')
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
  return request
}

/**
 * One HTTP exchange with files: it may take long, but must make progress. Throws ApiError OFFLINE or TIMEOUT, and the
 * caller's own abort as it is.
 */
export const sendFiles = (e: Endpoint, input: { files: UploadFiles }, options: Options): Promise<WireResponse> => {
  const { base, token, signal, onProgress } = options
  const { path, body } = encodeUpload(e, input, input.files)
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = begin(e, base + path, token)
    let stood = false
    const stop = () => request.abort()
    const stand = () => {
      stood = true
      request.abort()
    }
    let still = setTimeout(stand, TIMEOUT_MS)
    const moved = () => {
      clearTimeout(still)
      still = setTimeout(stand, TIMEOUT_MS)
    }
    const end = (settle: () => void) => () => {
      clearTimeout(still)
      signal?.removeEventListener('abort', stop)
      settle()
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      moved()
      if (total > 0) onProgress?.(loaded / total)
    })
    request.addEventListener('progress', moved)
    request.addEventListener(
      'load',
      end(() => resolve({ status: request.status, text: request.responseText })),
    )
    request.addEventListener(
      'error',
      end(() => reject(fault('OFFLINE'))),
    )
    request.addEventListener(
      'abort',
      end(() => reject(stood ? fault('TIMEOUT') : signal?.reason)),
    )
    signal?.addEventListener('abort', stop)
    request.send(body)
  })
}
