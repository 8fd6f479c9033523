import { Modal, type ModalProps } from 'antd'
import { useEffect, useState } from 'react'
import { useReturnFocus } from './above/focus.ts'

const Shown = (props: ModalProps) => {
  useReturnFocus()
  return <Modal open destroyOnHidden {...props} />
}

/**
 * The only modal of the console. Inside a hidden React Activity an open antd Modal breaks on its return (libraries
 * 0.4, trap 3): effects end when a page hides, so the modal leaves the tree then and comes back with the page.
 */
export const AppModal = ({ open = true, ...rest }: ModalProps) => {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    let here = true
    queueMicrotask(() => here && setShown(true))
    return () => {
      here = false
      setShown(false)
    }
  }, [])
  return open && shown ? <Shown {...rest} /> : null
}
