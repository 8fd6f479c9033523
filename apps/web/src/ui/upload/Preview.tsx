import { AppModal } from '#ui/AppModal.tsx'
import './upload.css'

/** Shows a picture in the size of the window. */
export const Preview = ({ file, onClose }: { file: { name: string; url: string }; onClose: () => void }) => (
  <AppModal title={file.name} footer={null} centered width="fit-content" onCancel={onClose}>
    <img className="preview" src={file.url} alt={file.name} />
  </AppModal>
)
