import { endpoint } from '../endpoint.ts'
import { StoredFileInfo, files } from '../files/file.ts'

export const demoUploads = {
  create: endpoint({
    kind: 'upload',
    permission: 'demo:upload:create',
    scope: 'self',
    method: 'POST',
    path: '/demo/upload/create',
    summary: '上传示例',
    summaryEn: 'Upload a file in the demo page; removed after 24 h, as nothing refers to it',
    files: files.upload.files,
    data: StoredFileInfo,
  }),
}
