"""Records what the wrappers of posthog-python send while they talk to the fake provider. In this folder, with the Node of the repository:

python3 -m venv venv && venv/bin/pip install -r requirements.txt && node record-python.mjs

record-python.mjs starts the provider and the recorder and calls this once for each wrapper.
"""

import asyncio
import sys

from posthog import Posthog

wrapper, provider, capture = sys.argv[1:4]
posthog = Posthog(
    "phc_recorded", host=capture, flush_at=100, flush_interval=60, enable_full_ai_capture=wrapper.endswith("-full")
)

SYSTEM = "You are a helpful assistant.\nAnswer in one sentence."
QUESTION = "What is the weather in Zürich? 🌧️"
PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
LINK = "https://pictures.example/square.png"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "description": "Name of the city."}, "days": {"type": "integer"}},
    "required": ["city"],
}
DESCRIPTION = "Tells the weather of a city. It knows no history."
FUNCTION = {"name": "get_weather", "description": DESCRIPTION, "parameters": SCHEMA}
TOOL = {"type": "function", "function": FUNCTION}
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]


def weather(city: str, days: int = 1) -> str:
    return f'{city}: 21 °C, "light" rain'


def trace(name: str) -> str:
    return f"{'trace_' if wrapper == 'openai-agents' else ''}python-{wrapper}-{name}"


def failing(call):
    try:
        call()
    except Exception:
        return
    raise AssertionError("the call was expected to fail")


def drain(stream):
    for _ in stream:
        pass


def record_openai():
    import json

    from posthog.ai.openai import OpenAI

    client = OpenAI(api_key="sk-fake", base_url=f"{provider}/v1", posthog_client=posthog, max_retries=0)

    def chat(name, model="gpt-5-mini", **body):
        return client.chat.completions.create(
            model=model, posthog_distinct_id="ada", posthog_trace_id=trace(name), **body
        )

    def respond(name, model="gpt-5-mini", **body):
        return client.responses.create(model=model, posthog_distinct_id="ada", posthog_trace_id=trace(name), **body)

    message = chat("tools", messages=MESSAGES, tools=[TOOL], temperature=1.0).choices[0].message
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": weather(**json.loads(call.function.arguments))}
        for call in message.tool_calls
    ]
    said = message.model_dump(exclude_none=True)
    chat("tools", messages=[*MESSAGES, said, *results], tools=[TOOL])

    drain(chat("stream", messages=[{"role": "user", "content": "Hello"}], stream=True))
    drain(chat("stream", messages=MESSAGES, tools=[TOOL], stream=True))

    failing(lambda: chat("errors", model="fails-429", messages=MESSAGES))
    failing(lambda: chat("errors", model="fails-500", messages=MESSAGES))
    failing(lambda: drain(chat("errors", model="breaks-off", messages=MESSAGES, stream=True)))

    look = [
        {"type": "text", "text": "What is on these?"},
        {"type": "image_url", "image_url": {"url": PICTURE}},
        {"type": "image_url", "image_url": {"url": LINK, "detail": "low"}},
    ]
    chat("images", messages=[{"role": "user", "content": look}])
    file = {"type": "input_file", "filename": "report.pdf", "file_data": "data:application/pdf;base64,JVBERi0xLjQK"}
    seen = [{"type": "input_text", "text": "And this?"}, {"type": "input_image", "image_url": PICTURE}, file]
    respond("images", input=[{"role": "user", "content": seen}])

    thinking = {
        "instructions": SYSTEM,
        "tools": [{"type": "function", **FUNCTION}],
        "reasoning": {"effort": "low", "summary": "auto"},
    }
    asked = {"role": "user", "content": QUESTION}
    first = respond("responses", input=[asked], **thinking)
    outputs = [
        {"type": "function_call_output", "call_id": item.call_id, "output": weather(**json.loads(item.arguments))}
        for item in first.output
        if item.type == "function_call"
    ]
    respond("responses", input=[asked, *first.output, *outputs], **thinking)
    drain(respond("responses", input=QUESTION, stream=True, **thinking))
    failing(lambda: respond("responses", model="fails-400", input=QUESTION))
    client.embeddings.create(
        model="text-embedding-3-small",
        input=["Zürich", "rain"],
        posthog_distinct_id="ada",
        posthog_trace_id=trace("embedding"),
    )


def record_anthropic():
    from posthog.ai.anthropic import Anthropic

    client = Anthropic(api_key="sk-fake", base_url=provider, posthog_client=posthog, max_retries=0)
    tools = [{"name": "get_weather", "description": DESCRIPTION, "input_schema": SCHEMA}]
    messages = [{"role": "user", "content": QUESTION}]
    thinking = {"type": "enabled", "budget_tokens": 1024}

    def ask(name, model="claude-sonnet-4-5", **body):
        return client.messages.create(
            model=model,
            max_tokens=1024,
            system=SYSTEM,
            posthog_distinct_id="ada",
            posthog_trace_id=trace(name),
            **body,
        )

    called = ask("tools", messages=messages, tools=tools, thinking=thinking)
    results = [
        {"type": "tool_result", "tool_use_id": block.id, "content": [{"type": "text", "text": weather(**block.input)}]}
        for block in called.content
        if block.type == "tool_use"
    ]
    said = {"role": "assistant", "content": [block.model_dump() for block in called.content]}
    ask("tools", messages=[*messages, said, {"role": "user", "content": results}], tools=tools)
    failed = [{**result, "is_error": True, "content": "No such city"} for result in results]
    ask("tools", messages=[*messages, said, {"role": "user", "content": failed}], tools=tools)

    drain(ask("stream", messages=[{"role": "user", "content": "Hello"}], stream=True))
    drain(ask("stream", messages=messages, tools=tools, thinking=thinking, stream=True))

    failing(lambda: ask("errors", model="fails-429", messages=messages))
    failing(lambda: ask("errors", model="fails-529", messages=messages))
    failing(lambda: drain(ask("errors", model="breaks-off", messages=messages, stream=True)))

    data = PICTURE.partition(",")[2]
    look = [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        {"type": "image", "source": {"type": "url", "url": LINK}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQK"},
            "title": "Report",
        },
        {"type": "text", "text": "What is on these?"},
    ]
    ask("images", messages=[{"role": "user", "content": look}])


def record_langchain():
    from langchain_core.messages import HumanMessage
    from langchain_core.output_parsers import StrOutputParser
    from langchain_core.prompts import ChatPromptTemplate
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI

    from posthog.ai.langchain import CallbackHandler

    def model(name="gpt-5-mini"):
        return ChatOpenAI(model=name, api_key="sk-fake", base_url=f"{provider}/v1", max_retries=0)

    def traced(name):
        return {"callbacks": [CallbackHandler(posthog, distinct_id="ada", trace_id=trace(name))]}

    @tool
    def get_weather(city: str, days: int = 1) -> str:
        """Tells the weather of a city. It knows no history."""
        return weather(city, days)

    def talk(given, config):
        messages = [HumanMessage(given["question"])]
        with_tools = model().bind_tools([get_weather])
        called = with_tools.invoke(messages, config)
        results = [get_weather.invoke(call, config) for call in called.tool_calls]
        return with_tools.invoke([*messages, called, *results], config)

    RunnableLambda(talk).with_config(run_name="weather agent").invoke({"question": QUESTION}, traced("tools"))

    prompt = ChatPromptTemplate.from_messages([("system", SYSTEM), ("user", "{question}")])
    drain((prompt | model() | StrOutputParser()).stream({"question": QUESTION}, traced("stream")))
    failing(lambda: (prompt | model("fails-429")).invoke({"question": QUESTION}, traced("errors")))

    @tool
    def find_city(city: str) -> str:
        """Fails."""
        raise ValueError("No such city")

    failing(
        lambda: RunnableLambda(lambda given, config: find_city.invoke(given, config)).invoke(
            {"city": "Zürich"}, traced("failed-tool")
        )
    )
    look = [
        {"type": "text", "text": "What is on these?"},
        {"type": "image_url", "image_url": {"url": PICTURE}},
        {"type": "image_url", "image_url": {"url": LINK}},
    ]
    model().invoke([HumanMessage(look)], traced("images"))


def record_openai_agents():
    from agents import (
        Agent,
        GuardrailFunctionOutput,
        OpenAIProvider,
        RunConfig,
        Runner,
        function_tool,
        input_guardrail,
        set_trace_processors,
    )

    from posthog.ai.openai_agents import PostHogTracingProcessor

    set_trace_processors([PostHogTracingProcessor(client=posthog, distinct_id="ada")])

    def config(name, model="gpt-5-mini", use_responses=True):
        openai = OpenAIProvider(api_key="sk-fake", base_url=f"{provider}/v1", use_responses=use_responses)
        return RunConfig(
            model=model, model_provider=openai, trace_id=trace(name), workflow_name=name, group_id="chat-1"
        )

    @function_tool
    def get_weather(city: str, days: int) -> str:
        """Tells the weather of a city. It knows no history."""
        return weather(city, days)

    @function_tool
    def find_city(city: str) -> str:
        """Fails."""
        raise ValueError("No such city")

    @input_guardrail(name="no rain")
    async def no_rain(context, agent, given):
        return GuardrailFunctionOutput(output_info={"reason": "rain"}, tripwire_triggered=True)

    forecaster = Agent(name="Forecaster", instructions=SYSTEM, tools=[get_weather])
    triage = Agent(name="Triage", instructions="Hand over.", handoffs=[forecaster])

    async def attempt(call):
        try:
            await call
        except Exception:
            return
        raise AssertionError("the call was expected to fail")

    async def talk():
        await Runner.run(triage, QUESTION, run_config=config("tools"))
        await Runner.run(forecaster, QUESTION, run_config=config("chat-completions", use_responses=False))
        async for _ in Runner.run_streamed(forecaster, QUESTION, run_config=config("stream")).stream_events():
            pass
        await attempt(Runner.run(forecaster, QUESTION, run_config=config("errors", model="fails-500")))
        careless = Agent(name="Forecaster", instructions=SYSTEM, tools=[find_city])
        await Runner.run(careless, QUESTION, run_config=config("failed-tool"))
        careful = Agent(name="Careful", input_guardrails=[no_rain])
        await attempt(Runner.run(careful, QUESTION, run_config=config("guardrail")))
        look = [{"type": "input_text", "text": "What is on it?"}, {"type": "input_image", "image_url": PICTURE}]
        await Runner.run(Agent(name="Eye"), [{"role": "user", "content": look}], run_config=config("images"))

    asyncio.run(talk())


{
    "openai": record_openai,
    "anthropic": record_anthropic,
    "langchain": record_langchain,
    "openai-agents": record_openai_agents,
}[wrapper.removesuffix("-full")]()
posthog.shutdown()
