import { Alert } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import './edit-conflict.css'

type Props = {
  /** What is told; what is told anew comes into sight again. */
  told: object
  children: ReactNode
}

/** Above a form: somebody else changed what it is about. Who pressed the button below it may have scrolled far away. */
export const ConflictAlert = ({ told, children }: Props) => {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [told])
  return (
    <div ref={box} className="meanwhile" tabIndex={-1}>
      <Alert type="warning" showIcon title={t('list.staleTitle')} description={children} />
    </div>
  )
}
