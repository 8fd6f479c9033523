import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { MAX_STEPS, type ProcedureStep } from '@tocsin/contract/device/procedure/procedure'
import { Button, Flex } from 'antd'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComplete } from '../procedure-draft.ts'
import { StepText } from '../StepList.tsx'

type Props = {
  steps: readonly ProcedureStep[]
  current: number
  /** Marks steps without a text or without whom they call. */
  isChecked: boolean
  onChoose: (at: number) => void
  onMove: (from: number, to: number) => void
  onAdd: () => void
  onRemove: (at: number) => void
}

/** The steps in their order: drag, or Alt with the arrow keys, moves one. */
export const StepOrder = ({ steps, current, isChecked, onChoose, onMove, onAdd, onRemove }: Props) => {
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number>()
  const list = useRef<HTMLOListElement>(null)
  // The focus follows the step, so that the keys move it again.
  const [moved, setMoved] = useState<{ to: number }>()
  useEffect(() => {
    if (moved) list.current?.querySelectorAll('button')[moved.to]?.focus()
  }, [moved])
  const press = (at: number) => (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || by === undefined) return
    event.preventDefault()
    onMove(at, at + by)
    setMoved({ to: Math.min(Math.max(at + by, 0), steps.length - 1) })
  }
  return (
    <Flex vertical gap="small">
      <ol ref={list} className="procedure-list" aria-label={t('procedure.order')}>
        {steps.map((step, at) => (
          <li key={`${at} ${step.text}`}>
            <button
              type="button"
              className="procedure-item"
              draggable
              aria-current={at === current}
              data-bad={isChecked && !isComplete(step)}
              onClick={() => onChoose(at)}
              onKeyDown={press(at)}
              onDragStart={() => setDragged(at)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={() => dragged !== undefined && onMove(dragged, at)}
            >
              <span>{at + 1}.</span>
              <span>{step.text || step.textEn ? <StepText step={step} /> : t('procedure.emptyStep')}</span>
            </button>
          </li>
        ))}
      </ol>
      <p className="procedure-minor">{t('procedure.orderHelp')}</p>
      <Flex gap="small" wrap>
        {steps.length < MAX_STEPS && (
          <Button icon={<PlusOutlined />} onClick={onAdd}>
            {t('procedure.addStep')}
          </Button>
        )}
        {steps.length > 1 && (
          <Button icon={<DeleteOutlined />} onClick={() => onRemove(current)}>
            {t('procedure.removeStep')}
          </Button>
        )}
      </Flex>
    </Flex>
  )
}
