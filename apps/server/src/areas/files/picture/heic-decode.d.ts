declare module 'heic-decode' {
  type HeicImage = {
    width: number
    height: number
    decode: () => Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>
  }
  const decoder: { all: (input: { buffer: Uint8Array }) => Promise<HeicImage[]> }
  export default decoder
}
